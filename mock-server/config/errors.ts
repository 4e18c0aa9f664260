/** A deployment configuration that cannot be used; the message names what is wrong and what was expected. */
export class ConfigurationError extends Error {
  override readonly name: string = 'ConfigurationError'
}
