import { command } from '../command.js'
import { copyFromPod } from './from-pod.js'
import { parseLocation } from './location.js'
import { type CopyContext, copyFlags } from './pod.js'
import { copyToPod } from './to-pod.js'

export const cp = command({
  usage: '<file-spec-src> <file-spec-dest> [options]',
  about: `Copy a file or a folder into a container, or out of it.

There must be a program tar in the container. Out of a container no symbolic links are copied.`,
  examples: [
    'kubectl cp ./site web:/usr/share/www',
    'kubectl cp other-namespace/web:/etc/hosts ./hosts -c main',
    'kubectl exec web -- tar cf - /srv | tar xf - -C backup   # with links and all',
  ],
  flags: copyFlags,
  run: runCopy,
})

async function runCopy(call: CopyContext): Promise<void> {
  const { args } = call
  if (args.length !== 2) throw new Error('source and destination are required')
  const [source, target] = [parseLocation(args[0]!), parseLocation(args[1]!)]
  if (source.pod !== '' && target.pod !== '') throw new Error('one of src or dest must be a local file specification')
  if (source.path === '' || target.path === '') throw new Error('filepath can not be empty')
  if (source.pod !== '') return copyFromPod(call, source, target)
  if (target.pod !== '') return copyToPod(call, source, target)
  throw new Error('one of src or dest must be a remote file specification')
}
