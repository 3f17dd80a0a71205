import { type Activity, listActivity } from '../../services/account/activity.js';
import { perform } from '../../services/core/perform.js';
import { html, type Markup } from '../../services/login/pages/html.js';
import { timeText, type Visited } from './visited.js';

/** The page with recent login events of the account. */
export async function activityPage(at: Visited): Promise<Markup> {
  const { visit, ctx, account } = at;
  const { say } = visit.frame.texts;
  const found = await perform(ctx, listActivity, async () => account, { max: 100 });
  if (found.length === 0) return html`<p>${say('activityText')}</p><p class="quiet">${say('activityNone')}</p>`;
  const columns = (['activityWhen', 'activityWhat', 'activityWhere', 'activityAddress'] as const).map(
    (key) => html`<th scope="col">${say(key)}</th>`,
  );
  return html`<p>${say('activityText')}</p><div class="wideTable" role="region" aria-label="${say('activityTitle')}" tabindex="0"><table><thead><tr>${columns}</tr></thead><tbody>${found.map((one) => row(at, one))}</tbody></table></div>`;
}

function row(at: Visited, { time, type, error, clientId, ipAddress, identityProvider }: Activity): Markup {
  const { say, resolve } = at.visit.frame.texts;
  const name = resolve(`\${activity.${type}}`);
  const kind = type.replace(/_ERROR$/, '');
  const known = name === `activity.${type}` ? resolve(`\${activity.${kind}}`) : name;
  const plain = known === `activity.${kind}` ? kind : known;
  const what = error !== undefined && known !== name ? say('activityFailed', plain) : plain;
  return html`<tr><td>${timeText(at, time)}</td><td>${what}${identityProvider !== undefined && html` (${identityProvider})`}</td><td>${clientId}</td><td>${ipAddress}</td></tr>`;
}
