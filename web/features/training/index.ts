export { BrainTestPage, TestPage } from './test-page.tsx'
export { BrainTrainingPage, TrainingPage } from './training-page.tsx'
