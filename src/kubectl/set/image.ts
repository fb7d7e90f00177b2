import type { JsonObject } from '../../schema/declaration.js'
import { command } from '../command.js'
import { AggregatedError } from '../command-errors.js'
import { parsePairs } from '../label/pairs.js'
import { nothingSelected } from '../resources/selection.js'
import { changePodSpecs, containersInPodSpec, setFlags } from './containers.js'

export const setImage = command({
  usage:
    '(-f FILENAME | TYPE NAME) CONTAINER_NAME_1=CONTAINER_IMAGE_1 ... CONTAINER_NAME_N=CONTAINER_IMAGE_N [options]',
  about: 'Set the images of containers; * selects all containers.',
  examples: ['kubectl set image deployment/web main=nginx:2', "kubectl set image deployments --all '*=nginx:2'"],
  flags: setFlags('kubectl-set'),
  async run(call) {
    const { args, flags } = call
    const { resources, set, words } = parsePairs(args, 'image')
    if (resources.length === 0 && flags.filename.length === 0) throw new Error(nothingSelected)
    if (words.length === 0) throw new Error('at least one image update is required')
    if (Object.keys(set).length > 1 && Object.hasOwn(set, '*'))
      throw new Error(
        'all containers are already specified by *, but saw more than one container_name=container_image pairs',
      )
    await changePodSpecs(call, resources, 'image updated', (spec) => withImages(spec, set))
  },
})

function withImages(spec: JsonObject, images: Readonly<Record<string, string>>): JsonObject {
  const fields = ['initContainers', 'containers'] as const
  const names = fields.flatMap((field) => containersInPodSpec(spec, field).map(({ name }) => name))
  const missing = Object.keys(images).filter((name) => name !== '*' && !names.includes(name))
  if (missing.length > 0) throw notFound(missing)
  const changed = fields
    .filter((field) => spec[field] !== undefined)
    .map((field) => [
      field,
      containersInPodSpec(spec, field).map((each) => ({
        ...each,
        image: images['*'] ?? images[each.name] ?? each.image!,
      })),
    ])
  return { ...spec, ...Object.fromEntries(changed) }
}

function notFound(names: readonly string[]): Error {
  const errors = names.map((name) => new Error(`unable to find container named "${name}"`))
  return errors.length === 1 ? errors[0]! : new AggregatedError(errors)
}
