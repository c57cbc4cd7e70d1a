export { OfAppList } from './app/of-app-list.tsx'
