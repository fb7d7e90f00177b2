/** What is wrong with a file, as the rest of a sentence that begins with its name. */
export class DamageError extends Error {}
