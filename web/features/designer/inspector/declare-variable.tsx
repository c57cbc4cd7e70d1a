import { chakra } from '@chakra-ui/react'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isPlainName } from '#domain/flow/variable/variable-use.ts'
import { useCreateVariable } from './use-create-variable.ts'

interface CreateUnknownProps {
  readonly name: string
  /** Required type; default: text. */
  readonly wanted?: { readonly datatype: string; readonly schema: string }
}

const TEXT = { datatype: 'string', schema: '' }

/** Under what names a variable that nobody declared: declares it. */
export const DeclareVariable = ({ name, wanted = TEXT }: CreateUnknownProps) => {
  const { t } = useTranslation('designer')
  const { may, create, isPending, refused } = useCreateVariable()
  if (!may || !isPlainName(name)) return null
  const declare = () => void create({ name, ...wanted }).catch(() => undefined)
  return (
    <>
      <button type="button" className="pl-open" disabled={isPending} onClick={declare}>
        <Plus size={13} aria-hidden />
        {t('uses.create', { name })}
      </button>
      {refused === undefined ? null : (
        <chakra.p role="alert" fontSize="xs" color="danger.fg">
          {refused}
        </chakra.p>
      )}
    </>
  )
}
