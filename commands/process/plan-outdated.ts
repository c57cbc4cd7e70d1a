import { WrongRevision } from '../store/port.ts'

/** The basis of a plan changed before its first step: none of the plan is carried out, decide again. */
export class PlanOutdated extends WrongRevision {}
