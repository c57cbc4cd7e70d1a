export { FlowList } from './flow-list.tsx'
