import { statSync } from 'node:fs'
import type { TarEntry } from '../../base/tar/writer.js'
import { fileContent } from '../../cri/images/file-content.js'
import { type Image, thisArchitecture } from '../../cri/images/image.js'

/** From Debian's package busybox-static. */
const busybox = '/bin/busybox'

const tools =
  'awk basename cat chmod chown cp cut date dd df dirname du echo env expr false find free grep head hostname httpd id ip kill ln ls mkdir mkfifo mount mv nc nproc nslookup ping printf ps pwd readlink realpath rm sed seq sh sleep sort stat stty sync tail tar tee test top touch tr true tty umount uname uniq unlink vi wc wget which xargs yes'

/** Builds an image with a shell and the usual tools, under the given names. */
export function busyboxImage(...names: readonly string[]): Image {
  const links = tools.split(' ').map((name): TarEntry => ({ type: 'link', path: `bin/${name}`, target: 'busybox' }))
  const { size } = statSync(busybox)
  const files: TarEntry[] = [
    { type: 'file', path: 'bin/busybox', mode: 0o755, content: fileContent(busybox, size) },
    {
      type: 'file',
      path: 'etc/passwd',
      content: Buffer.from('root:x:0:0::/root:/bin/sh\nweb:x:1000:2000::/:/bin/sh\n'),
    },
    { type: 'file', path: 'etc/group', content: Buffer.from('root:x:0:\nweb:x:2000:\nextra:x:3000:web\n') },
    { type: 'directory', path: 'tmp', mode: 0o1777 },
    { type: 'directory', path: 'root', mode: 0o700 },
  ]
  return {
    names,
    architecture: thisArchitecture(),
    config: { Env: ['PATH=/bin'], Cmd: ['sh'] },
    layers: [[...files, ...links]],
  }
}
