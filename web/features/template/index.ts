export { TemplateChip } from './template-status.tsx'
