import { type Image, thisArchitecture } from './image.js'
import { pauseProgram } from './pause-program.js'

/**
 * The image of every sandbox. Its registry is `localhost`, so that a runtime that has lost the image does not pull it from a foreign
 * registry.
 */
export const pauseImageName = 'localhost/proa/pause:1'

/** Creates the pause image without a network or a compiler. It runs as an unprivileged user. */
export function pauseImage(architecture = thisArchitecture()): Image {
  return {
    names: [pauseImageName],
    architecture,
    config: { Entrypoint: ['/pause'], User: '65535:65535' },
    layers: [[{ type: 'file', path: 'pause', mode: 0o755, content: pauseProgram(architecture) }]],
  }
}
