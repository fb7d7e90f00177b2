import { boolean, text } from '../../base/flags/flag-types.js'
import { type Command, type CommandContext, command } from '../command.js'
import { ConfigAccess, rejectArguments, unexpected, withoutEmptyFields, withStanza } from './access.js'

const flags = {
  cluster: text('The cluster of the context'),
  current: boolean('Change the current context'),
  namespace: text('The namespace to use', { short: 'n' }),
  user: text('The user of the context'),
} as const

export const setContext: Command = command({
  usage: '[NAME | --current] [--cluster=cluster_nickname] [--user=user_nickname] [--namespace=namespace] [options]',
  about: 'Create a context or change fields of an existing one.',
  examples: ['kubectl config set-context dev --user=admin', 'kubectl config set-context --current --namespace=web'],
  flags,
  run: runSetContext,
})

async function runSetContext(call: CommandContext<typeof flags>): Promise<void> {
  const { flags: given, args, factory, out } = call
  if (args.length > 1) return rejectArguments(call, setContext, unexpected(args))
  const [named = ''] = args
  if (named === '' && !given.current) throw new Error('you must specify a non-empty context name or --current')
  if (named !== '' && given.current) throw new Error('you cannot specify both a context name and --current')
  const access = new ConfigAccess(factory)
  const before = await access.load()
  const name = given.current ? before['current-context'] : named
  if (name === '') throw new Error('no current context is set')
  const isKnown = before.contexts.has(name)
  await access.modify((config) => {
    const { settings = {} } = config.contexts.get(name) ?? {}
    const changes = (['cluster', 'user', 'namespace'] as const).filter((flag) => call.isSet(flag))
    const changed = { ...settings, ...Object.fromEntries(changes.map((flag) => [flag, given[flag]])) }
    return withStanza(config, 'contexts', [name, withoutEmptyFields(changed)])
  })
  await out(`Context "${name}" ${isKnown ? 'modified' : 'created'}.\n`)
}

export const useContext: Command = command({
  usage: 'CONTEXT_NAME [options]',
  about: 'Set the current context.',
  examples: ['kubectl config use-context dev'],
  flags: {},
  async run(call) {
    const { args, factory, out } = call
    const [name] = args
    if (name === undefined || args.length !== 1) return rejectArguments(call, useContext, unexpected(args))
    const access = new ConfigAccess(factory)
    if (name === '' || !(await access.load()).contexts.has(name))
      throw new Error(
        name === '' ? 'empty context names are not allowed' : `no context exists with the name: "${name}"`,
      )
    await access.modify((config) => ({ ...config, 'current-context': name }))
    await out(`Switched to context "${name}".\n`)
  },
})

export const renameContext: Command = command({
  usage: 'CONTEXT_NAME NEW_NAME [options]',
  about: 'Rename a context. The current context stays current.',
  examples: ['kubectl config rename-context old new'],
  flags: {},
  async run(call) {
    const { args, factory, out } = call
    const [name, other] = args
    if (name === undefined || other === undefined || args.length !== 2)
      return rejectArguments(call, renameContext, unexpected(args))
    const access = new ConfigAccess(factory)
    const before = await access.load()
    const file = await access.file()
    if (!before.contexts.has(name)) throw new Error(`cannot rename the context "${name}", it's not in ${file}`)
    if (before.contexts.has(other))
      throw new Error(`cannot rename the context "${name}", the context "${other}" already exists in ${file}`)
    await access.modify((config) => {
      const contexts = new Map(config.contexts)
      contexts.set(other, contexts.get(name)!)
      contexts.delete(name)
      const isCurrent = config['current-context'] === name
      return { ...config, contexts, ...(isCurrent && { 'current-context': other }) }
    })
    await out(`Context "${name}" renamed to "${other}".\n`)
  },
})
