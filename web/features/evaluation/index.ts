export {
  type Comparison,
  type Evaluation,
  figureOf,
  otherModel,
  type Parent,
  type Training,
  TrainingStatus,
  type Understanding,
  useComparison,
  useEvaluation,
  useModels,
  useTraining,
} from './training-status.tsx'
