import { useText } from '../text/text.js';
import { partTexts } from './text.js';

/** Who has made a change, as the API tells. */
interface Made {
  actor: { username: string } | null;
  actorId: string | null;
}

/** The ID that changes have which the command line made in the database, where nobody is logged in. */
const commandLine = btoa('User:command-line');

/** Names who has made a change: a user, the command line, or somebody whom the caller may not view. */
export function useActorName(): (made: Made | null) => string {
  const t = useText(partTexts);
  return (made) => made?.actor?.username ?? t(made?.actorId === commandLine ? 'commandLine' : 'someone');
}
