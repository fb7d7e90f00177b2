import type { Controller } from './controller.js'

/** Several loops under one name: they are chosen, started and ended as one. */
export function combinedController(name: string, controllers: readonly Controller[]): Controller {
  return {
    name,
    start(surroundings) {
      const running = controllers.map((each) => each.start(surroundings))
      return {
        async close() {
          await Promise.all(running.map((each) => each.close()))
        },
      }
    },
  }
}
