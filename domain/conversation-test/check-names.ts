import { rootName, SYSTEM_VARIABLES } from '#domain/flow/variable/variable-use.ts'
import { folded } from '#schemas/fold-text.ts'
import { dotted, type PlaceOf, type TestFault } from './read-test-file.ts'
import type { TestFile } from './test-schema.ts'

interface Named {
  readonly id: string
  readonly name: string
}

/** Names in the bot that a test may use. */
export interface BotNames {
  readonly tasks: readonly Named[]
  readonly dialogs: readonly Named[]
  readonly handlers: readonly Named[]
  /** Blocks with their titles. */
  readonly blocks: readonly Named[]
  /** Declared variables, and those that blocks write. */
  readonly variables: readonly string[]
}

interface Mention {
  readonly kind: 'task' | 'dialog' | 'block' | 'variable' | 'handler'
  readonly name: string
  readonly path: readonly PropertyKey[]
}

/** Whether something goes by a name: its id, or its title without regard to capitals and accents. */
export const isCalled = ({ id, name }: Named, called: string): boolean =>
  id === called || folded(name.trim()) === folded(called.trim())

const COMMANDS: ReadonlySet<string> = new Set(['restart', 'agent'])

const inGiven = ({ given }: TestFile): readonly Mention[] => {
  const at = (name: string) => ['given', name]
  const places = (['task', 'dialog', 'block'] as const).flatMap(kind => {
    const name = given[kind]
    return name === undefined ? [] : [{ kind, name, path: at(kind) } as const]
  })
  const variables = Object.keys(given.variables ?? {}).map(
    name => ({ kind: 'variable', name, path: [...at('variables'), name] }) as const,
  )
  return [...places, ...variables]
}

const inSteps = ({ steps }: TestFile): readonly Mention[] =>
  steps.flatMap((step, place): readonly Mention[] => {
    const at = ['steps', place, step.kind]
    if (step.kind === 'menu' && !COMMANDS.has(step.value)) return [{ kind: 'task', name: step.value, path: at }]
    if (step.kind === 'event' && typeof step.value === 'object' && 'schedule' in step.value)
      return [{ kind: 'block', name: step.value.schedule, path: [...at, 'schedule'] }]
    if (step.kind !== 'expect') return []
    const { value } = step
    const list = (key: 'visited' | 'notvisited') =>
      (value[key] ?? []).map((name, index) => ({ kind: 'block', name, path: [...at, key, index] }) as const)
    return [
      ...(value.at === undefined ? [] : [{ kind: 'block', name: value.at, path: [...at, 'at'] } as const]),
      ...list('visited'),
      ...list('notvisited'),
      ...Object.keys(value.variables ?? {}).map(
        name => ({ kind: 'variable', name, path: [...at, 'variables', name] }) as const,
      ),
    ]
  })

const inStubs = ({ stubs }: TestFile): readonly Mention[] =>
  stubs.flatMap((stub, place): readonly Mention[] =>
    stub.kind === 'handler' && !stub.handler.includes('*')
      ? [{ kind: 'handler', name: stub.handler, path: ['stubs', place, 'handler'] }]
      : [],
  )

const isKnown = (names: BotNames, { kind, name }: Mention): boolean => {
  const among = (list: readonly Named[]) => list.some(each => isCalled(each, name))
  switch (kind) {
    case 'task':
      return among(names.tasks)
    case 'dialog':
      return among(names.dialogs)
    case 'block':
      return among(names.blocks)
    case 'handler':
      return among(names.handlers) || among(names.blocks)
    default: {
      const root = rootName(name)
      return SYSTEM_VARIABLES.has(root) || names.variables.includes(root)
    }
  }
}

/** The names of a test that its bot does not have. */
export const checkTestNames = (file: TestFile, names: BotNames, placeOf: PlaceOf): readonly TestFault[] =>
  [...inGiven(file), ...inStubs(file), ...inSteps(file)]
    .filter(mention => !isKnown(names, mention))
    .map(({ kind, name, path }) => ({ ...placeOf(path), path: dotted(path), code: kind, text: name }))
