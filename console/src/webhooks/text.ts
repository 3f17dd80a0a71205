import { catalogue } from '../text/text.js';

/** Texts of the webhooks. */
export const texts = catalogue({
  title: ['Webhooks', 'Webhooks'],
  create: ['Create webhook', 'Webhook anlegen'],
  url: ['URL', 'URL'],
  failing: ['{count} failed attempts', '{count} Fehlversuche'],
  includesAdminEvents: ['Sends admin events', 'Sendet Verwaltungsereignisse'],
  includesLoginEvents: ['Sends login events', 'Sendet Anmeldeereignisse'],
  none: ['No webhooks', 'Keine Webhooks'],
  noneHint: [
    'A webhook sends events of the realm to a URL as signed messages.',
    'Ein Webhook sendet Ereignisse des Realms als signierte Nachrichten an eine URL.',
  ],
  ping: ['Ping', 'Testen'],
  pinged: ['Delivered, HTTP {status}.', 'Zugestellt, HTTP {status}.'],
  pingFailed: ['Not delivered: {reason}', 'Nicht zugestellt: {reason}'],
  rotate: ['Rotate secret', 'Secret erneuern'],
  rotateHint: [
    'Messages are signed with the new secret from now on. The old one is not used again.',
    'Nachrichten werden ab jetzt mit dem neuen Secret signiert. Das alte wird nicht mehr verwendet.',
  ],
  secretHint: [
    'The secret signs the messages. It is shown only once.',
    'Das Secret signiert die Nachrichten. Es wird nur einmal angezeigt.',
  ],
  removeHint: ['The webhook and its deliveries are deleted.', 'Der Webhook und seine Zustellungen werden gelöscht.'],
  deliveries: ['Deliveries', 'Zustellungen'],
  noDeliveries: ['Nothing was sent yet.', 'Noch nichts gesendet.'],
  nextAttempt: ['Next attempt: {time}', 'Nächster Versuch: {time}'],
  delivered: ['Delivered', 'Zugestellt'],
  failed: ['Failed', 'Fehlgeschlagen'],
  again: ['Send {name} again', '{name} erneut senden'],
  againShort: ['Send again', 'Erneut senden'],
  replay: ['Send events again', 'Ereignisse erneut senden'],
  replayHint: [
    'Sends all stored events since this time again, in their order, whether they were delivered or not. A disabled webhook receives them when it is enabled.',
    'Sendet alle gespeicherten Ereignisse ab dieser Zeit erneut, in ihrer Reihenfolge, ob sie zugestellt wurden oder nicht. Ein inaktiver Webhook erhält sie, sobald er aktiviert wird.',
  ],
  since: ['Since', 'Seit'],
  replayed: ['{count} events are sent again.', '{count} Ereignisse werden erneut gesendet.'],
  duration: ['{count} ms', '{count} ms'],
});
