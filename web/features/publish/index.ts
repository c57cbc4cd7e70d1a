export { PublishDialog } from './publish-dialog.tsx'
export { PublishEntity, PublishOneFlow, PublishTask } from './publish-entity.tsx'
