export { PublishDialog } from './publish-dialog.tsx'
export { PublishFlowsDialog } from './publish-flows-dialog.tsx'
