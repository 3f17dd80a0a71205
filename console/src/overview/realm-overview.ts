import type { OverviewQuery } from './documents.js';

/** A realm as the overview has loaded it. */
export type RealmOverview = NonNullable<OverviewQuery['realm']>;
