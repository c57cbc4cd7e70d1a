import { composeChecked } from '#domain/compose/check-compose.ts'
import { testFileErrors } from '#domain/conversation-test/behaviour.ts'
import type { BotNames } from '#domain/conversation-test/check-names.ts'
import type { Json } from '#schemas/event.ts'
import type { FieldError } from '#schemas/refusal.ts'

/** Checks of files that people wrote, for a caller of a level. They reject with `WorkBusy` when they cannot be made now. */
export interface Checks {
  /** Errors of the file of a conversation test. Without `names` its form alone is checked. */
  testFile(source: string, names: BotNames | undefined, level: string): Promise<readonly FieldError[]>
  /** Result of a compose file's check, as it is stored. */
  compose(source: string, level: string): Promise<Json>
}

/** Checks on the thread of the caller. */
export const INLINE_CHECKS: Checks = {
  testFile: async (source, names) => testFileErrors(source, names),
  compose: async source => composeChecked(source),
}
