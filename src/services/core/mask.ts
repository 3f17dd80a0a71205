/** Stands for a secret in answers. In an update it stands for the stored secret. */
export const mask = '**********';

/** Whether a setting, a text or a list of texts, has the mask in place of a secret. */
export const isMaskedSetting = (value: unknown): boolean => [value].flat()[0] === mask;
