/** Stands for a secret in answers; sent back in an update it stands for the secret that is there. */
export const mask = '**********';
