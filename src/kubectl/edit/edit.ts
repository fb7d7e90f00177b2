import { boolean, text } from '../../base/flags/flag-types.js'
import { fieldValidationOf, managerFlag, recordFlag, validateFlag } from '../changes/change-flags.js'
import { type CommandContext, command } from '../command.js'
import { outputFlags } from '../printers/output.js'
import { fetchObjects } from '../resources/fetch.js'
import { fileFlags } from '../resources/selection.js'
import { lineEndingsFlag } from './flags.js'
import { submitPatches } from './patch.js'
import { defaultInstructions, editObjects } from './session.js'

const flags = {
  ...fileFlags,
  ...outputFlags,
  ...validateFlag,
  ...managerFlag('kubectl-edit'),
  ...recordFlag,
  ...lineEndingsFlag,
  'output-patch': boolean('Print the patch that is sent to the server'),
  'save-config': boolean('Save the object in an annotation, for a later apply'),
  subresource: text('Edit this subresource of the object: status, resize'),
} as const

export const edit = command({
  usage: '(RESOURCE/NAME | -f FILENAME) [options]',
  about: `Edit objects of the server in an editor: the one that KUBE_EDITOR or EDITOR names, or vi. What is saved is sent as soon as the
editor ends; where the server refuses it, the editor opens again and says why. Nothing is sent where nothing was changed.`,
  examples: [
    'kubectl edit deployment/web',
    'KUBE_EDITOR="nano" kubectl edit svc/web',
    'kubectl edit cm one two -o json',
  ],
  flags,
  run: runEdit,
})

async function runEdit(call: CommandContext<typeof flags>): Promise<void> {
  const { flags: given, args, factory } = call
  fieldValidationOf(given)
  const infos = await fetchObjects(factory, { ...given, args, typesMeanAll: true })
  if (infos.length === 0) throw new Error('edit cancelled, no objects found')
  await editObjects({ call, instructions: defaultInstructions, submit: submitPatches(call) }, infos)
}
