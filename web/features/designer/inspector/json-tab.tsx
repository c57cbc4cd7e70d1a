import { Button, chakra, Textarea } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setProperties } from '#domain/flow/document/edit.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { isObject } from '#schemas/json.ts'
import { useDesigner } from '../session/designer.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'
import { useForm } from './form-context.ts'

/** A block's complete JSON as in a flow file, including hidden properties; writes only differences. */
export const JsonTab = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { room, mayEdit } = useDesigner()
  const [draft, setDraft] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  const operator = exportFlow(room.doc, new Set([node.id])).operators[node.id]
  const shown = JSON.stringify(operator?.properties ?? {}, null, 2)
  const apply = () => {
    try {
      const value: unknown = JSON.parse(draft ?? shown)
      if (!isObject(value)) throw new SyntaxError('{ }')
      setProperties(room.doc, node.id, value, OWN_EDIT)
      setDraft(undefined)
      setWrong(undefined)
    } catch (error) {
      setWrong(t('inspector.badJson', { what: error instanceof Error ? error.message : '' }))
    }
  }
  return (
    <div className="pl-section">
      <label className="pl-label-text" htmlFor="pl-json">
        {t('inspector.properties')}
      </label>
      <Textarea
        id="pl-json"
        className="pl-json"
        fontFamily="mono"
        fontSize="xs"
        rows={22}
        readOnly={!mayEdit}
        spellCheck={false}
        aria-invalid={wrong !== undefined}
        value={draft ?? shown}
        onChange={event => setDraft(event.target.value)}
      />
      {node.unknown.length + node.unreadable.length === 0 ? null : (
        <chakra.p fontSize="xs" color="fg.muted" mt="1">
          {t('inspector.unknown')} {[...node.unknown, ...node.unreadable].join(', ')}
        </chakra.p>
      )}
      {wrong === undefined ? null : (
        <chakra.p role="alert" fontSize="xs" color="danger.fg" mt="1">
          {wrong}
        </chakra.p>
      )}
      {draft === undefined || draft === shown ? null : (
        <chakra.div display="flex" gap="2" mt="2">
          <Button size="xs" variant="solid" colorPalette="accent" onClick={apply}>
            {t('inspector.apply')}
          </Button>
          <Button size="xs" variant="ghost" onClick={() => setDraft(undefined)}>
            {t('cancel')}
          </Button>
        </chakra.div>
      )}
    </div>
  )
}
