import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { cronExpression } from './cron-expression.ts'
import { markdownDoc } from './markdown-doc.ts'
import { publishedWithItsRevision } from './published-with-its-revision.ts'
import { variableScope } from './variable-scope.ts'

type Upcaster = (data: JsonObject, event: StoredEvent) => JsonObject

/** By event type: the step from version 1 to 2, from 2 to 3 and so on. */
export const UPCASTERS: Readonly<Record<string, readonly Upcaster[]>> = {
  CampaignChanged: [cronExpression],
  CampaignCreated: [cronExpression],
  CampaignRestored: [cronExpression],
  CodeSampleChanged: [markdownDoc],
  CodeSampleCreated: [markdownDoc],
  CodeSampleRestored: [markdownDoc],
  DialogPublished: [publishedWithItsRevision],
  // Version 2 has `startsOver`; nothing else changed.
  FlowEdited: [data => data],
  HandlerPublished: [publishedWithItsRevision],
  VariableChanged: [variableScope],
  VariableCreated: [variableScope],
  VariableRestored: [variableScope],
}
