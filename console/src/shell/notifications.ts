// What only screens need that tell what became of a mutation: it is loaded with them.
import '@mantine/notifications/styles.css';

export { Notifications, notifications } from '@mantine/notifications';
