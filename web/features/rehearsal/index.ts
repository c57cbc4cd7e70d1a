export { PublishRehearsal } from './publish-rehearsal.tsx'
export {
  countText,
  GroupEnds,
  RehearsalBar,
  UnknownList,
  useBlockName,
  useEndText,
  usePartial,
  useSummary,
} from './rehearsal-result.tsx'
export {
  type RehearsalGroupView,
  type RehearsalView,
  type RehearsedConversation,
  rehearsalWaysQuery,
  rehearsedQuery,
  useBeginRehearsal,
  useRehearsal,
  useStopRehearsal,
} from './use-rehearsal.ts'
