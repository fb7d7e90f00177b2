import { groupVersion } from '../client/discovery/discovered.js'
import { compareText } from '../schema/text-order.js'
import { command } from './command.js'
import { CommandUsageError } from './command-errors.js'

export const apiVersions = command({
  usage: '[options]',
  about: 'Print the API versions of the server, one per line.',
  examples: ['kubectl api-versions'],
  flags: {},
  async run({ args, path, factory, out }) {
    if (args.length > 0) throw new CommandUsageError(path, `unexpected arguments: [${args.join(' ')}]`)
    const discover = await factory.discover()
    const { groups } = await discover({ isFresh: true })
    const versions = groups.flatMap(({ name, versions: all }) => all.map(({ version }) => groupVersion(name, version)))
    await out(
      versions
        .sort(compareText)
        .map((each) => `${each}\n`)
        .join(''),
    )
  },
})
