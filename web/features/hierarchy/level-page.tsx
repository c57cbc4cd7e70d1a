import { useParams } from 'react-router'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { LevelAlerts } from './level-alerts.tsx'

const NONE: ReadonlySet<string> = new Set()

/** A level: its form, and below it the alerts that went to its address. */
export const LevelPage = () => {
  const { id = '' } = useParams()
  return (
    <EntityDetail
      entity={hierarchy}
      id={id}
      listAt="/hierarchy"
      hidden={NONE}
      below={row => <LevelAlerts key={row.id} level={row.id} hasAddress={row.alert_url !== null} />}
    />
  )
}
