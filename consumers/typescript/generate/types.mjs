// JSON Schema (draft 2020-12, as schemars writes it) as TypeScript. Definitions of the same shape become one type; two of the
// same name and different shapes get different names. A schema that says something this does not know is an error.

/** `app-switcher` as `AppSwitcher`. */
export const pascal = (name) => name.replace(/(^|[-_])([a-z])/g, (_, __, letter) => letter.toUpperCase());

/** A doc comment. */
export function doc(text, indent) {
  if (!text) return "";
  // Rust's links to its own items mean nothing here.
  const plain = text.replace(/\[`(?:crate::|super::|Self::)?([^`\]]+)`\](?:\([^)]*\))?/g, "`$1`").replaceAll("*/", "*\\/");
  const lines = plain.trim().split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/** What a schema may say without saying anything about the type. */
const SILENT = new Set([
  "$schema", "$defs", "title", "description", "default", "format", "minimum", "maximum", "minLength", "maxLength", "minItems",
  "maxItems", "pattern", "examples", "unevaluatedProperties", "deprecated", "uniqueItems",
]);
const KNOWN = new Set([
  "$ref", "type", "properties", "required", "additionalProperties", "items", "prefixItems", "oneOf", "anyOf", "allOf", "const", "enum",
]);

export class TypeWriter {
  #declared = new Map(); // name -> { shape, text }
  #results = new Set(); // names of what commands answer

  /** Declares a type for a whole schema; says what it is called. `side`: an input leaves out nulls and takes `undefined`. */
  declare(name, schema, side, description) {
    const scope = { defs: schema.$defs ?? {}, side, prefix: pascal(name.replace(/(Args|Result)$/, "")), names: new Map() };
    if (name.endsWith("Result")) this.#results.add(name);
    const described = { ...schema, description: description ?? schema.description };
    return this.#add(name, described, scope);
  }

  /** Everything that was declared. */
  text() {
    return [...this.#declared.values()].map(({ text }) => text).join("\n");
  }

  #add(name, schema, scope) {
    const shape = JSON.stringify([scope.side, this.#expanded(schema, scope, [])]);
    const known = this.#declared.get(name);
    if (known) {
      if (known.shape === shape) return name;
      throw new Error(`two shapes are called ${name}`);
    }
    const same = this.#result(shape);
    if (same) {
      this.#declared.set(name, { shape, text: `${doc(schema.description, "")}export type ${name} = ${same};\n` });
      return name;
    }
    // Its place is taken before its parts are written: it may be part of itself.
    this.#declared.set(name, { shape, text: "" });
    const comment = doc(schema.description, "");
    const body = this.#type(schema, scope, "");
    const isObject = body.startsWith("{") && this.#isPlainObject(schema);
    const text = isObject ? `${comment}export interface ${name} ${body}\n` : `${comment}export type ${name} =${body.startsWith("\n") ? "" : " "}${body};\n`;
    this.#declared.set(name, { shape, text });
    return name;
  }

  /** What has the shape of a command's result is that, whatever it is called elsewhere. */
  #result(shape) {
    for (const [name, known] of this.#declared) if (known.shape === shape && this.#results.has(name)) return name;
    return undefined;
  }

  /** The schema with every reference replaced by what it leads to, to compare shapes. */
  #expanded(schema, scope, within) {
    if (Array.isArray(schema)) return schema.map((part) => this.#expanded(part, scope, within));
    if (typeof schema !== "object" || schema === null) return schema;
    const parts = Object.entries(schema).filter(([key]) => !["description", "$defs", "$schema", "title"].includes(key));
    return Object.fromEntries(
      parts.map(([key, part]) => {
        if (key !== "$ref") return [key, this.#expanded(part, scope, within)];
        const name = part.replace("#/$defs/", "");
        return [key, within.includes(name) ? name : this.#expanded(scope.defs[name], scope, [...within, name])];
      }),
    );
  }

  /** What a reference is called: a definition that only leads to another one is that one. */
  #reference(reference, scope) {
    if (reference === "#") throw new Error("a schema that is part of itself has to be a definition");
    const name = reference.replace("#/$defs/", "");
    const target = scope.defs[name];
    if (!target) throw new Error(`nothing stands under ${reference}`);
    const says = Object.keys(target).filter((key) => !SILENT.has(key));
    if (says.length === 1 && says[0] === "$ref") return this.#reference(target.$ref, scope);
    const known = scope.names.get(name);
    if (known) return known;
    const shape = JSON.stringify([scope.side, this.#expanded(target, scope, [])]);
    const both = JSON.stringify([scope.side === "input" ? "output" : "input", this.#expanded(target, scope, [])]);
    const result = scope.prefix === name ? undefined : this.#result(shape);
    if (result) {
      scope.names.set(name, result);
      return result;
    }
    const taken = this.#declared.get(name);
    const sideless = !JSON.stringify(target).includes('"null"') && !this.#hasOptional(target);
    const fits = !taken || taken.shape === shape || (sideless && taken.shape === both);
    const chosen = fits ? name : `${scope.prefix}${name}`;
    scope.names.set(name, chosen);
    if (!taken || !fits) this.#add(chosen, target, scope);
    return chosen;
  }

  #hasOptional(schema) {
    if (typeof schema !== "object" || schema === null) return false;
    if (schema.properties && Object.keys(schema.properties).some((key) => !(schema.required ?? []).includes(key))) return true;
    return Object.values(schema).some((part) => this.#hasOptional(part));
  }

  #isPlainObject(schema) {
    return schema.properties !== undefined && !["$ref", "oneOf", "anyOf", "allOf"].some((key) => key in schema);
  }

  #type(schema, scope, indent) {
    if (schema === true || schema === undefined) return "unknown";
    if (schema === false) return "never";
    for (const key of Object.keys(schema)) {
      if (!SILENT.has(key) && !KNOWN.has(key)) throw new Error(`a schema with ${key}: ${JSON.stringify(schema).slice(0, 200)}`);
    }
    const parts = [];
    if (schema.$ref) parts.push(this.#reference(schema.$ref, scope));
    for (const group of ["oneOf", "anyOf"]) {
      if (schema[group]) parts.push(this.#union(schema[group], scope, indent));
    }
    for (const part of schema.allOf ?? []) parts.push(this.#type(part, scope, indent));
    if ("const" in schema) parts.push(JSON.stringify(schema.const));
    else if (schema.enum) parts.push(schema.enum.map((value) => JSON.stringify(value)).join(" | "));
    else if (schema.properties || schema.type !== undefined) {
      const own = this.#typed(schema, scope, indent);
      // A schema that only says "an object" beside its variants says nothing new.
      if (!(parts.length > 0 && /^Record<string, (never|unknown)>$/.test(own))) parts.push(own);
    }
    if (parts.length === 0) return "unknown";
    if (parts.length === 1) return parts[0];
    return parts.map((part) => (part.includes("| ") && !part.startsWith("{") ? `(${part})` : part)).join(" & ");
  }

  #union(options, scope, indent) {
    const kept = options.filter((option) => !(scope.side === "input" && option.type === "null"));
    const described = kept.some((option) => option.description && !option.$ref);
    const types = kept.map((option) => [option.$ref ? undefined : option.description, this.#type(option, scope, `${indent}  `)]);
    const unique = types.filter(([, type], at) => types.findIndex(([, other]) => other === type) === at);
    if (!described) return unique.map(([, type]) => type).join(" | ");
    return unique.map(([description, type]) => `\n${doc(description, `${indent}  `)}${indent}  | ${type}`).join("");
  }

  #typed(schema, scope, indent) {
    const types = [schema.type ?? "object"].flat().filter((type) => !(scope.side === "input" && type === "null"));
    return types.map((type) => this.#single(type, schema, scope, indent)).join(" | ");
  }

  #single(type, schema, scope, indent) {
    switch (type) {
      case "string":
      case "boolean":
      case "null":
        return type;
      case "integer":
      case "number":
        return "number";
      case "array":
        return this.#array(schema, scope, indent);
      case "object":
        return this.#object(schema, scope, indent);
      default:
        throw new Error(`a type called ${type}`);
    }
  }

  #array(schema, scope, indent) {
    if (schema.prefixItems) return `[${schema.prefixItems.map((item) => this.#type(item, scope, indent)).join(", ")}]`;
    const item = this.#type(schema.items, scope, indent);
    return /[|&\n]/.test(item) ? `Array<${item}>` : `${item}[]`;
  }

  #object(schema, scope, indent) {
    const properties = Object.entries(schema.properties ?? {});
    const rest = schema.additionalProperties;
    const open = rest !== undefined && rest !== false ? this.#type(rest, scope, indent) : undefined;
    if (properties.length === 0) return `Record<string, ${open ?? (scope.side === "input" ? "never" : "unknown")}>`;
    const required = new Set(schema.required ?? []);
    const lines = properties.map(([key, part]) => {
      const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
      const value = this.#type(part, scope, `${indent}  `);
      const optional = !required.has(key);
      const undefinable = optional && scope.side === "input" ? `${value} | undefined` : value;
      const description = part === true ? undefined : part.description;
      return `${doc(description, `${indent}  `)}${indent}  ${name}${optional ? "?" : ""}: ${undefinable};\n`;
    });
    if (open !== undefined) lines.push(`${indent}  [key: string]: ${rest === true ? "unknown" : open};\n`);
    return `{\n${lines.join("")}${indent}}`;
  }
}
