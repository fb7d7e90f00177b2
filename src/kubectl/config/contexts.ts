import { boolean, text } from '../../base/flags/flag-types.js'
import { compareText } from '../../schema/text-order.js'
import { type Command, type CommandContext, command } from '../command.js'
import { throwAll } from '../command-errors.js'
import { TabWriter } from '../printers/tab-writer.js'
import { ConfigAccess } from './access.js'

export const currentContext = command({
  usage: '[flags] [options]',
  about: 'Print the name of the current context.',
  examples: ['kubectl config current-context'],
  flags: {},
  async run({ factory, out }) {
    const { 'current-context': name } = await new ConfigAccess(factory).load()
    if (name === '') throw new Error('current-context is not set')
    await out(`${name}\n`)
  },
})

export const getClusters = namesCommand('clusters')
export const getUsers = namesCommand('users')

function namesCommand(section: 'clusters' | 'users'): Command {
  return command({
    usage: '[flags] [options]',
    about: `Print the names of the ${section} in the kubeconfig.`,
    examples: [`kubectl config get-${section}`],
    flags: {},
    async run({ factory, out }) {
      const config = await new ConfigAccess(factory).load()
      const names = [...config[section].keys()].sort(compareText)
      await out(['NAME', ...names].map((name) => `${name}\n`).join(''))
    },
  })
}

const flags = {
  'no-headers': boolean('Omit the header'),
  output: text('Output format: name; a table by default', { short: 'o' }),
} as const

export const getContexts = command({
  usage: '[(-o|--output=)name)] [options]',
  about: 'List contexts with cluster, user and namespace. A star marks the current context.',
  examples: ['kubectl config get-contexts', 'kubectl config get-contexts my-context'],
  flags,
  run: runGetContexts,
})

async function runGetContexts(call: CommandContext<typeof flags>): Promise<void> {
  const { flags: given, args, factory, out } = call
  if (!['', 'name'].includes(given.output))
    throw new Error(
      `--output ${given.output} is not available in kubectl config get-contexts; resetting to default output format`,
    )
  const { contexts, 'current-context': current } = await new ConfigAccess(factory).load()
  const wanted = args.length > 0 ? args : [...contexts.keys()]
  const found = wanted.filter((name) => contexts.has(name)).sort(compareText)
  const writer = new TabWriter()
  if (!given['no-headers'] && given.output === '') writer.line(['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'])
  for (const name of found) {
    const { cluster = '', user = '', namespace = '' } = contexts.get(name)!.settings
    writer.line(given.output === 'name' ? [name] : [name === current ? '*' : '', name, cluster, user, namespace])
  }
  await out(writer.flush())
  throwAll(wanted.filter((name) => !contexts.has(name)).map((name) => new Error(`context ${name} not found`)))
}
