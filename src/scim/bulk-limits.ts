import { limit } from '../config/limits.js';

export const mostBulkOperations = limit('SCIM', 'Operations of a bulk request', 1000, 'operations', '413');
