import { sameJson } from '../../schema/json-value.js'
import { fieldValidationOf, lastApplied, managerFlag, recordFlag, validateFlag } from '../changes/change-flags.js'
import { type CommandContext, command } from '../command.js'
import { editedInfo } from '../edit/edited-file.js'
import { lineEndingsFlag } from '../edit/flags.js'
import { originalOf, printEditResult } from '../edit/patch.js'
import { type EditOptions, editObjects } from '../edit/session.js'
import { outputFlags } from '../printers/output.js'
import { fetchObjects } from '../resources/fetch.js'
import { objectPath } from '../resources/resource-object.js'
import { fileFlags } from '../resources/selection.js'
import { lastAppliedPatch } from './set-last-applied.js'

const flags = {
  ...fileFlags,
  ...outputFlags,
  ...validateFlag,
  ...managerFlag('kubectl-client-side-apply'),
  ...recordFlag,
  ...lineEndingsFlag,
} as const

type EditLastAppliedContext = CommandContext<typeof flags>

const invitation = `# Please edit the 'last-applied-configuration' annotations below.
# Lines beginning with a '#' will be ignored, and an empty file will abort the edit.
#
`

export const editLastApplied = command({
  usage: '(RESOURCE/NAME | -f FILENAME) [options]',
  about: 'Edit the last applied configuration of objects. Nothing else of the objects changes.',
  examples: ['kubectl apply edit-last-applied deployment/web', 'kubectl apply edit-last-applied -f web.yaml -o json'],
  flags,
  run: runEditLastApplied,
})

async function runEditLastApplied(call: EditLastAppliedContext): Promise<void> {
  const { flags: given, args, factory } = call
  fieldValidationOf(given)
  const infos = await fetchObjects(factory, { ...given, args, typesMeanAll: true })
  const applied = infos.map(({ object }) => lastApplied(object)).filter((object) => object !== undefined)
  if (applied.length === 0)
    throw new Error(
      'no last-applied-configuration annotation found on resources, to create the annotation, use command `kubectl apply set-last-applied --create-annotation`',
    )
  const originals = await Promise.all(applied.map((object) => editedInfo(factory, object)))
  await editObjects({ call, instructions: invitation, submit: submitAnnotations(call) }, originals)
}

function submitAnnotations(call: EditLastAppliedContext): EditOptions['submit'] {
  return async (edited, originals) => {
    const rest = await call.factory.rest()
    const query = { fieldManager: call.flags['field-manager'], fieldValidation: fieldValidationOf(call.flags) }
    for (const info of edited) {
      const isSame = sameJson(originalOf(info, originals).object, info.object)
      if (!isSame) await rest.json({ ...lastAppliedPatch(info.object), path: objectPath(info), query })
      await printEditResult(call, info.object, isSame ? 'skipped' : 'edited')
    }
  }
}
