import { type Command, command } from '../command.js'
import { CommandUsageError } from '../command-errors.js'
import { helpText } from '../help.js'
import { ConfigAccess, type KubeconfigSection, withStanza } from './access.js'

export const deleteCluster = deleteCommand('clusters', 'cluster')
export const deleteContext = deleteCommand('contexts', 'context')
export const deleteUser = deleteCommand('users', 'user')

function deleteCommand(section: KubeconfigSection, noun: string): Command {
  const own: Command = command({
    usage: 'NAME [options]',
    about: `Take a ${noun} out of the kubeconfig.`,
    examples: [`kubectl config delete-${noun} my-${noun}`],
    flags: {},
    async run({ args, path, factory, out, err }) {
      const [name] = args
      if (section === 'users' && args.length !== 1) throw new CommandUsageError(path, 'user to delete is required')
      if (name === undefined || args.length !== 1) return out(helpText(path, own))
      const access = new ConfigAccess(factory)
      const before = await access.load()
      const file = await access.file()
      if (!before[section].has(name)) throw new Error(`cannot delete ${noun} ${name}, not in ${file}`)
      if (section === 'contexts' && before['current-context'] === name) await err(activeWarning)
      await access.modify((config) => withStanza(config, section, [name, undefined]))
      await out(`deleted ${noun} ${name} from ${file}\n`)
    },
  })
  return own
}

const activeWarning =
  'warning: this removed your active context, use "kubectl config use-context" to select a different one\n'
