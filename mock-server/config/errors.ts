/** The error of an invalid deployment configuration. */
export class ConfigurationError extends Error {
  override readonly name: string = 'ConfigurationError'
}
