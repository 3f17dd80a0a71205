import type { FieldValues, FormField } from '../parts/fields.js';
import { valuesAt } from '../parts/fields.js';
import type { Icon } from '../parts/icons.js';
import { ObjectList } from '../parts/rows.js';
import type { Outcome } from '../session/graphql.js';
import { wholeList } from '../session/pages.js';
import { useValueName } from '../text/text.js';
import { errorsAt, type PartKind, type PolicyPart, partFields, partValues } from './parts.js';

type Options = { isDryRun: boolean };

interface ReplacedListProps<Item extends { name: string }, Input, Type extends string> {
  items: readonly Item[];
  /** the parts that each item has */
  kind: PartKind<Type>;
  partsIn(item: Item): readonly PolicyPart<Type>[];
  /** the other fields of an item */
  fields: readonly FormField[];
  icon: Icon;
  title: string;
  empty: { title: string; hint: string };
  isAllowed: boolean;
  describe(item: Item): { hint?: string; badges?: readonly (string | false)[] };
  /** the input of the API for the values of the form. `before` is the item as it is stored. */
  itemOf(values: FieldValues, before?: Item): Input;
  /** the input of the API for an item that stays as it is */
  inputOf(item: Item): Input;
  /** stores all items */
  replace(items: Input[], options?: Options): Promise<Outcome<object>>;
  reload(): unknown;
}

/** A list whose items the API stores together: each is created, changed, and deleted by replacing the list. */
export function ReplacedList<Item extends { name: string }, Input, Type extends string>(
  props: ReplacedListProps<Item, Input, Type>,
) {
  const { items, kind, partsIn, fields, icon, title, empty, isAllowed, describe, itemOf, inputOf, replace, reload } =
    props;
  const nameOf = useValueName();
  const nodes = items.map((item) => ({ id: item.name, name: item.name, item }));
  const formOf = (values: FieldValues) => [...fields, ...partFields(kind, values, nameOf)];
  // items are loaded anew while a dialog is open, and are known by their names
  const placeOf = (name: string) => items.findIndex((item) => item.name === name);
  const save = async (at: number, values: FieldValues, options?: Options) => {
    const next = items.map(inputOf).toSpliced(at, 1, itemOf(values, items[at]));
    const { data, errors } = await replace(next, options);
    return { data, errors: errorsAt(errors, at, kind.path, (values.types ?? []) as string[]) };
  };
  return (
    <ObjectList
      pages={wholeList(nodes, reload)}
      isAllowed={isAllowed}
      icon={icon}
      empty={empty}
      describe={({ item }) => describe(item)}
      add={{ title, fields: formOf, start: { isEnabled: true } }}
      create={(values) => save(items.length, values)}
      edit={{
        fields: (_, values = {}) => formOf(values),
        startOf: async ({ item }) => ({ ...valuesAt(fields, item), ...partValues(kind, partsIn(item)) }),
        save: ({ name }, values, options) => save(placeOf(name), values, options),
      }}
      remove={({ name }, options) => replace(items.filter((item) => item.name !== name).map(inputOf), options)}
    />
  );
}
