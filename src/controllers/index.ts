/** What users of the library import, as `proa/controllers`, to write control loops of their own. */

export { type Environment, environment } from '../base/environment.js'
export { formatLogRecord, type Logger, type LoggerOptions, logger } from '../base/logging.js'
export { type OperatorOptions, type RunningOperator, startOperator } from './operator.js'
export { type ControllerBuilder, controller, type Kind } from './runtime/builder.js'
export type { Controller, RunningController, Surroundings } from './runtime/controller.js'
export { controllerOf, controllerReference, isControlledBy } from './runtime/owners.js'
export type { Concerns, Outcome, Reconcile, World } from './runtime/reconcile.js'
