/** The configuration is invalid, for each of these reasons. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`invalid configuration: ${combinedMessage(problems)}`)
    this.problems = problems
  }
}

/** There is no configuration, and no other setting names a server. */
export class EmptyConfigurationError extends ConfigurationError {
  constructor() {
    super(['no configuration has been provided, try setting KUBERNETES_MASTER environment variable'])
  }
}

/** Returns one message as it is, several in brackets. */
export function combinedMessage(messages: readonly string[]): string {
  const [first = ''] = messages
  return messages.length === 1 ? first : `[${[...new Set(messages)].join(', ')}]`
}
