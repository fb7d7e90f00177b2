import type { JsonObject } from '../../schema/declaration.js'
import { fieldValidationOf } from '../changes/change-flags.js'
import { throwAll } from '../command-errors.js'
import { defaultInstructions, type EditOptions, editObjects } from '../edit/session.js'
import { dryRunOf, dryRunQuery, resultPrinter } from '../printers/result.js'
import { resourcePath } from '../resources/resource-object.js'
import { select } from '../resources/selection.js'
import type { CreateContext } from './create-flags.js'

/** Opens each object in an editor of its own and creates it when the file is saved. An unchanged file creates nothing. */
export async function createEdited(call: CreateContext): Promise<void> {
  dryRunOf(call.flags)
  fieldValidationOf(call.flags)
  const { manifests, errors: refused } = await select(call.factory, { ...call.flags, selector: '' })
  const errors: unknown[] = [...refused]
  const editing = { call, instructions: defaultInstructions, submit: submitCreations(call) }
  for (const info of manifests) await editObjects(editing, [info]).catch((error: unknown) => errors.push(error))
  throwAll(errors)
}

/** Respects `--dry-run`, which upstream ignores here. */
function submitCreations(call: CreateContext): EditOptions['submit'] {
  return async (edited) => {
    const { flags, factory } = call
    const dryRun = dryRunOf(flags)
    const rest = await factory.rest()
    const query = {
      ...dryRunQuery(dryRun),
      fieldManager: flags['field-manager'],
      fieldValidation: fieldValidationOf(flags),
    }
    for (const { resource, namespace, object } of edited) {
      const request = { method: 'POST', path: resourcePath(resource, namespace), query, body: object }
      const made = dryRun === 'client' ? object : await rest.json<JsonObject>(request)
      await (await resultPrinter(call, flags, dryRun)).print(made, 'created')
    }
  }
}
