export { ServicesCard } from './service-table.tsx'
