export { PublishDialog } from './publish-dialog.tsx'
export { PublishEntity, PublishOneFlow, PublishTask } from './publish-entity.tsx'
export { Published, PublishedDialog } from './published-dialog.tsx'
export { enabledChannelsQuery } from './readiness.ts'
