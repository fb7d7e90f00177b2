import { CriError } from './cri-error.js'
import type { Draft } from './interface/message.js'
import type { AnyMethod, CallContext } from './interface/service.js'
import { imageService, type RuntimeImplementation, runtimeService } from './interface/services.js'

export type Answer = (request: unknown, context: CallContext) => Promise<Draft<unknown>>
export type Answers = (request: unknown, context: CallContext) => AsyncIterable<Draft<unknown>>

/** How the runtime answers a procedure; with a refusal if it has none of that name. */
export function answerOf(implementation: RuntimeImplementation, name: string, method: AnyMethod): Answer | Answers {
  const found = implementation[name as keyof RuntimeImplementation] as Answer | Answers | undefined
  if (found) return found.bind(implementation) as Answer | Answers
  return method.kind === 'stream' ? () => refuse(method) : async () => refuse(method)
}

function refuse(method: AnyMethod): never {
  throw unimplemented(method)
}

/** The words of gRPC for a procedure that a server does not have. */
function unimplemented({ name }: AnyMethod): CriError {
  return new CriError('Unimplemented', `unknown method ${name} for service ${serviceOf(name)}`)
}

function serviceOf(procedure: string): string {
  const inImages = Object.values<AnyMethod>(imageService.methods as unknown as Record<string, AnyMethod>)
  return inImages.some(({ name }) => name === procedure) ? imageService.name : runtimeService.name
}
