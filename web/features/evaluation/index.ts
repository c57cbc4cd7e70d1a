export { TrainingStatus } from './training-status.tsx'
export {
  type Comparison,
  type Evaluation,
  figureOf,
  otherModel,
  type Parent,
  type Training,
  type Understanding,
  useComparison,
  useEvaluation,
  useModels,
  useTraining,
} from './use-training.ts'
