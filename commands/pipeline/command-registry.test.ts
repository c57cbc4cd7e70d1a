import { expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, permissionsOf } from '#schemas/entity.ts'
import { entityCommands, noFacts } from '../generic/entity-commands.ts'
import type { EntityCommands } from './command-context.ts'
import { createCommandRegistry } from './command-registry.ts'

const commandRegistry = createCommandRegistry(ENTITIES)

type BotAction = keyof (typeof ENTITIES)['bot']['actions']

test('does not compile when a declared action has no command', () => {
  // @ts-expect-error start, stop, restart and fix are declared and missing
  const incomplete: EntityCommands<BotAction> = entityCommands({ commands: {} }, noFacts)
  expect(Object.keys(incomplete.commands)).toEqual(['create', 'change', 'remove', 'restore'])
})

test.each(Object.values(ENTITIES))('has every command that $name declares', entity => {
  for (const action of ['create', 'change', 'remove', 'restore', ...Object.keys(entity.actions)]) {
    expect(commandRegistry.commandOf(entity.name, action), action).toBeDefined()
  }
})

const written = Object.values<EntityDeclaration>(ENTITIES).filter(({ writtenBy }) => writtenBy === undefined)

test.each(written)('needs a declared permission for each command that $name declares', entity => {
  const declared = permissionsOf(entity)
  for (const action of ['create', 'change', 'remove', 'restore', ...Object.keys(entity.actions)]) {
    expect(declared).toContain(commandRegistry.commandOf(entity.name, action)?.permission + entity.name)
  }
})

test('gives the generic commands to an entity without a line', () => {
  expect(commandRegistry.commandOf('postcard', 'create')).toBeDefined()
  expect(commandRegistry.commandOf('postcard', 'publish')).toBeUndefined()
  expect(commandRegistry.commandOf('bot', 'toString')).toBeUndefined()
})
