import { boolean, text } from '../../base/flags/flag-types.js'
import { lastApplied } from '../changes/change-flags.js'
import { command } from '../command.js'
import { printJson } from '../printers/json.js'
import { printYaml } from '../printers/yaml/yaml.js'
import { fetchObjects } from '../resources/fetch.js'
import { fileFlags } from '../resources/selection.js'

const flags = {
  ...fileFlags,
  all: boolean('Select all objects of the given types'),
  output: text('Output format: yaml or json', { short: 'o', initial: 'yaml' }),
  selector: text('Select objects by labels', { short: 'l' }),
} as const

export const viewLastApplied = command({
  usage: '(TYPE [NAME | -l label] | TYPE/NAME | -f FILENAME) [options]',
  about: 'Show the last applied configuration of objects, as YAML or JSON.',
  flags,
  async run({ flags: given, args, factory, out }) {
    const infos = await fetchObjects(factory, { ...given, args })
    for (const { object, name } of infos) {
      const applied = lastApplied(object)
      if (!applied) throw new Error(`no last-applied-configuration annotation found on resource: ${name}`)
      await out(given.output === 'json' ? printJson(applied) : printYaml(applied))
    }
  },
})
