/** The prefix of the addresses of the service, which the page states if it is not `/auth`. */
export const addressPrefix: string = globalThis.document?.documentElement.dataset.addressPrefix ?? '/auth';
