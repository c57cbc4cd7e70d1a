export { TemplateChip } from './standing.tsx'
