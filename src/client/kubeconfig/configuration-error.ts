/** The configuration cannot be used, for each of these reasons. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`invalid configuration: ${aggregated(problems)}`)
    this.problems = problems
  }
}

/** There is none, and nothing else that says where the server is. */
export class EmptyConfigurationError extends ConfigurationError {
  constructor() {
    super(['no configuration has been provided, try setting KUBERNETES_MASTER environment variable'])
  }
}

/** One as it is, several of them in brackets. */
export function aggregated(messages: readonly string[]): string {
  const [first = ''] = messages
  return messages.length === 1 ? first : `[${[...new Set(messages)].join(', ')}]`
}
