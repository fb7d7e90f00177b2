import type { Container } from '../../api/core/v1/container.js'
import { Signal } from '../../cri/interface/signal.js'

/** How a container wants to be told to end, in the runtime's words: `SIGRTMIN+1` is `SIGRTMINPLUS1` there. */
export function stopSignalOf({ lifecycle }: Container): Signal {
  const name = lifecycle?.stopSignal?.replace('+', 'PLUS').replace('-', 'MINUS')
  return Signal.find((signal) => signal === name) ?? 'RUNTIME_DEFAULT'
}
