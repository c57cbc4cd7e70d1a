import { parseInput } from '#domain/field/validate.ts'
import { actionInputSchema, actionsAt, changeSchema, closedTo, type EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ProcessPlan } from '#schemas/events/entity.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { planUpload, runUpload, type UploadPlan, type UploadSource } from '../nlu/plan-upload.ts'
import { type Author, derivedId } from '../pipeline/append.ts'
import { type CommandContext, isPermitted } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { type BatchCommand, type BatchRow, writeBatches } from './batch.ts'
import { type ImportPlan, type ImportSource, planImport } from './plan-import.ts'
import type { Starter } from './process-port.ts'
import { type ProcessReport, readReport } from './process-report.ts'

interface BulkCommand extends BatchCommand {
  readonly entity: string
  readonly confirm?: string
}

export interface BulkCommands {
  /** Whether the command may be carried out on many things at all. */
  checkBulk(caller: Caller, command: BulkCommand): Result<BatchCommand>
  /** Starts the command for each row; answers the id of the process. */
  startBulk(starter: Starter, entity: string, command: BatchCommand, rows: readonly BatchRow[]): Promise<string>
  /** Result of an import without writing. */
  planImport(starter: Starter, source: ImportSource): Promise<ImportPlan>
  /** Carries an import out and waits for its end. */
  runImport(starter: Starter, entity: string, plan: ImportPlan): Promise<ProcessReport | undefined>
  /** Dry run of a file upload to an NLU project; writes nothing. */
  planUpload(starter: Starter, source: UploadSource): Promise<Result<UploadPlan>>
  /** Takes it in and waits for the end; answers the id of the process. */
  runUpload(starter: Starter, project: string, plan: UploadPlan): Promise<string>
  /** The import that an earlier execution of the same request started, once it has ended. */
  earlierImport(starter: Starter): Promise<ProcessReport | undefined>
  /** Undefined for what the caller did not start. */
  processReport(caller: Caller, id: string): Promise<ProcessReport | undefined>
  /** Starts to bring back what a process changed; answers the id of the process that does. */
  startUndo(starter: Starter, id: string): Promise<Result<string>>
}

const CONFIRMED = { confirm: 'CONFIRM' }

export const bulkCommands = (context: CommandContext): BulkCommands => {
  const reportOf = async (caller: Caller, id: string) => {
    const report = await readReport(context, id)
    return report !== undefined && report.actor === caller.user ? report : undefined
  }
  return {
    checkBulk: (caller, command) => checkBulk(context, caller, command),
    startBulk: (starter, entity, command, rows) => start(context, starter, { kind: 'bulk', entity, command, rows }),
    planImport: (starter, source) => planImport(context, starter, source),
    async runImport(starter, entity, { rows, unchanged }) {
      const command = { action: 'import', input: {} }
      const id = await start(context, starter, { kind: 'import', entity, command, rows, unchanged })
      await context.processes.resume(id)
      return readReport(context, id)
    },
    planUpload: (starter, source) => planUpload(context, starter, source),
    runUpload: (starter, project, plan) => runUpload(context, starter, project, plan),
    async earlierImport(starter) {
      const id = processIdOf(starter)
      await context.processes.resume(id)
      return readReport(context, id)
    },
    processReport: reportOf,
    async startUndo(starter, id) {
      const report = await reportOf(starter.caller, id)
      const entity = report === undefined ? undefined : context.entityOf(report.entity)
      if (report === undefined || entity === undefined) return refused('entity.notfound')
      if (report.state === 'running') return refused('entity.busy')
      if (!canUndo(report)) return refused('process.final')
      const rows = report.written.map(([thing, revision, action]) => inverseOf(entity, thing, revision, action))
      const command = { action: 'undo', input: {} }
      return accepted(await start(context, starter, { kind: 'undo', entity: report.entity, command, rows }))
    },
  }
}

const REVERSIBLE: ReadonlySet<string> = new Set(['create', 'change', 'remove', 'restore'])

/** Whether its changes can be undone. Only a command can set the fields of a named command. */
export const canUndo = ({ kind, state, written }: ProcessReport): boolean =>
  kind !== 'undo' &&
  // Its rows are of several entities.
  kind !== 'upload' &&
  state !== 'running' &&
  written.length > 0 &&
  written.every(([, , action]) => REVERSIBLE.has(action))

const inverseOf = (entity: EntityDeclaration, id: string, revision: number, action: string): BatchRow => {
  const isThere = action === 'create' || action === 'restore'
  if (!isThere) return { id, revision, command: { action: 'restore', input: { revision: revision - 1 } } }
  return { id, revision, command: { action: 'remove', input: entity.confirm ? CONFIRMED : {} } }
}

const checkBulk = (context: CommandContext, caller: Caller, command: BulkCommand): Result<BatchCommand> => {
  const { action, input, confirm } = command
  const entity = context.entityOf(command.entity)
  if (entity === undefined) return refused('entity.notfound')
  const actions = ['remove', 'restore', 'change', ...actionsAt(entity, 'bulk')]
  if (!actions.includes(action))
    return refused('validation.failed', { errors: [{ path: 'action', code: 'option', params: { options: actions } }] })
  if (!isPermitted(context.registry, caller, entity, action)) return refused('access.forbidden')
  const needsConfirm = action === 'remove' ? entity.confirm : entity.actions[action]?.confirm === 'typed'
  if (needsConfirm && confirm !== 'CONFIRM')
    return refused('validation.confirm', {
      errors: [{ path: 'confirm', code: confirm === undefined ? 'required' : 'option' }],
    })
  const errors = inputErrors(entity, action, input)
  if (errors.length > 0)
    return refused('validation.failed', {
      errors: errors.map(error => ({ ...error, path: error.path === '' ? 'input' : `input.${error.path}` })),
    })
  return accepted({ action, input: needsConfirm ? { ...input, ...CONFIRMED } : input })
}

const inputErrors = (entity: EntityDeclaration, action: string, input: JsonObject): readonly FieldError[] => {
  const names = Object.keys(input)
  if (action === 'remove' || action === 'restore') return names.map(path => ({ path, code: 'unknown' }))
  const declared = entity.actions[action]
  if (declared !== undefined) {
    const asked = parseInput(actionInputSchema(declared), input)
    return asked.ok ? [] : (asked.refusal.errors ?? [])
  }
  if (names.length === 0) return [{ path: '', code: 'required' }]
  // Values sealed under one person's key cannot be set for many.
  const personal = names.filter(name => entity.fields[name]?.personal === true)
  if (personal.length > 0) return personal.map(path => ({ path, code: 'readonly' }))
  // Each thing checks the rest against its own fields.
  const parsed = parseInput(changeSchema(entity), input, closedTo.change(entity))
  return parsed.ok ? [] : (parsed.refusal.errors ?? [])
}

interface Started {
  readonly kind: ProcessPlan['kind']
  readonly entity: string
  readonly command: BatchCommand
  readonly rows: readonly BatchRow[]
  readonly unchanged?: number
}

/** The process that a request starts, however often it is carried out. */
const processIdOf = ({ seed }: Starter): string => derivedId(seed, 'process')

const start = async (context: CommandContext, starter: Starter, started: Started): Promise<string> => {
  const { kind, entity, command, rows, unchanged = 0 } = started
  const { caller, seed, correlation } = starter
  const root = processIdOf(starter)
  if ((await readReport(context, root)) !== undefined) return root
  const time = context.now().toISOString()
  const author: Author = { seed, actor: caller.user, time, correlation, causation: caller.session }
  // A removed thing comes back as it was when it was removed.
  const prepared = command.action === 'restore' ? rows.map(asRemoved) : rows
  const steps = await writeBatches(context, author, root, entity, command, prepared)
  const { level, subtree } = caller
  const batch = { action: command.action, total: rows.length, level, subtree: [...subtree], unchanged }
  await context.processes.begin(author, { kind, root, steps, batch })
  return root
}

const asRemoved = (row: BatchRow): BatchRow =>
  row.revision === undefined ? row : { ...row, command: { action: 'restore', input: { revision: row.revision } } }
