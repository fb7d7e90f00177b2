import { command } from '../command.js'
import { CommandUsageError } from '../command-errors.js'

const shells = ['bash', 'zsh', 'fish']

export const completion = command({
  usage: 'SHELL',
  about: `Print a script that completes lines which begin with kubectl, for bash, zsh or fish. What there is to choose from, kubectl is
asked whenever somebody presses the key.`,
  examples: [
    'source <(kubectl completion bash)',
    'source <(kubectl completion zsh)',
    'kubectl completion fish > ~/.config/fish/completions/kubectl.fish',
  ],
  flags: {},
  async run({ args, path, out }) {
    const [shell] = args
    if (shell === undefined) throw new CommandUsageError(path, 'Shell not specified.')
    if (args.length > 1) throw new CommandUsageError(path, 'Too many arguments. Expected only the shell type.')
    if (!shells.includes(shell)) throw new CommandUsageError(path, `Unsupported shell type "${shell}".`)
    const { scripts } = await import('./scripts.js')
    await out(scripts[shell as keyof typeof scripts])
  },
})
